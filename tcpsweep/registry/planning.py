# SPDX-License-Identifier: MIT
"""What planning needs of features: ingredients, questions and caveats. It loads no feature's tables or pages."""

from tcpsweep.core.contact.ingredient import Ingredient
from tcpsweep.core.contact.question import Question
from tcpsweep.features.corrections import defect_caveats

INGREDIENTS: tuple[Ingredient, ...] = ()
QUESTIONS: tuple[Question, ...] = ()
CAVEATS = (defect_caveats.caveats,)
