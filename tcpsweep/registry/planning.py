# SPDX-License-Identifier: MIT
"""What planning a sweep needs of features: their ingredients and questions. It loads no feature's tables or pages."""

from tcpsweep.core.contact.ingredient import Ingredient
from tcpsweep.core.contact.question import Question
from tcpsweep.features.expectations import language
from tcpsweep.features.pairs import pair_key
from tcpsweep.features.precision import precision_key
from tcpsweep.features.refine import refine_key
from tcpsweep.features.search import search_key
from tcpsweep.features.studies import study_key

INGREDIENTS: tuple[Ingredient, ...] = ()
QUESTIONS: tuple[Question, ...] = (
    pair_key.QUESTION,
    study_key.QUESTION,
    precision_key.QUESTION,
    refine_key.QUESTION,
    search_key.QUESTION,
    language.QUESTION,
)
