# SPDX-License-Identifier: MIT
"""What planning needs of features: fields, ingredients, questions, builds and caveats; no tables or pages."""

from tcpsweep.core.contact.build import Build
from tcpsweep.core.contact.fields import Fields
from tcpsweep.core.contact.ingredient import Ingredient
from tcpsweep.core.contact.question import Question
from tcpsweep.features.corrections import defect_caveats
from tcpsweep.features.corrections import ingredient as corrections
from tcpsweep.features.corrections.correction_fields import CorrectionFields
from tcpsweep.features.expectations import language
from tcpsweep.features.expectations.expectation_fields import ExpectationFields
from tcpsweep.features.linux import build as kernels
from tcpsweep.features.linux import ingredient as linux
from tcpsweep.features.pairs import pair_key
from tcpsweep.features.pairs.pair_fields import PairFields
from tcpsweep.features.precision import precision_key
from tcpsweep.features.precision.precision_fields import PrecisionFields
from tcpsweep.features.quic import ingredient as quic
from tcpsweep.features.quic import stack_build as quic_stacks
from tcpsweep.features.refine import refine_key
from tcpsweep.features.refine.refine_fields import RefineFields
from tcpsweep.features.search import search_key
from tcpsweep.features.search.search_fields import SearchFields
from tcpsweep.features.studies import study_key
from tcpsweep.features.studies.study_fields import StudyFields
from tcpsweep.features.traffic import ingredient as traffic
from tcpsweep.features.wireless import wireless_check

FIELDS: tuple[type[Fields], ...] = (
    CorrectionFields,
    ExpectationFields,
    PairFields,
    StudyFields,
    PrecisionFields,
    RefineFields,
    SearchFields,
)

INGREDIENTS: tuple[Ingredient, ...] = (
    corrections.INGREDIENT,
    quic.INGREDIENT,
    linux.INGREDIENT,
    traffic.INGREDIENT,
    wireless_check.INGREDIENT,
)
QUESTIONS: tuple[Question, ...] = (
    pair_key.QUESTION,
    study_key.QUESTION,
    precision_key.QUESTION,
    refine_key.QUESTION,
    search_key.QUESTION,
    language.QUESTION,
)
BUILDS: tuple[Build, ...] = (quic_stacks.BUILD, kernels.BUILD)
CAVEATS = (defect_caveats.caveats,)
