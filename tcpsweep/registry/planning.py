# SPDX-License-Identifier: MIT
"""What planning a sweep needs of features: their ingredients and questions. It loads no feature's tables or pages."""

from tcpsweep.core.contact.fields import Fields
from tcpsweep.core.contact.ingredient import Ingredient
from tcpsweep.core.contact.question import Question
from tcpsweep.features.corrections.correction_fields import CorrectionFields
from tcpsweep.features.expectations.expectation_fields import ExpectationFields
from tcpsweep.features.pairs.pair_fields import PairFields
from tcpsweep.features.precision.precision_fields import PrecisionFields
from tcpsweep.features.refine.refine_fields import RefineFields
from tcpsweep.features.search.search_fields import SearchFields
from tcpsweep.features.studies.study_fields import StudyFields

FIELDS: tuple[type[Fields], ...] = (
    CorrectionFields,
    ExpectationFields,
    PairFields,
    StudyFields,
    PrecisionFields,
    RefineFields,
    SearchFields,
)

INGREDIENTS: tuple[Ingredient, ...] = ()
QUESTIONS: tuple[Question, ...] = ()
