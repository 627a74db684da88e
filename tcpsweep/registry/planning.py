# SPDX-License-Identifier: MIT
"""What planning a sweep needs of features: their ingredients and questions. It loads no feature's tables or pages."""

from tcpsweep.core.contact.ingredient import Ingredient
from tcpsweep.core.contact.question import Question

INGREDIENTS: tuple[Ingredient, ...] = ()
QUESTIONS: tuple[Question, ...] = ()
