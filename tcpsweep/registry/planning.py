# SPDX-License-Identifier: MIT
"""What planning a sweep needs of features: their ingredients and questions. It loads no feature's tables or pages."""

from tcpsweep.core.contact.ingredient import Ingredient
from tcpsweep.core.contact.question import Question
from tcpsweep.features.corrections import ingredient as corrections
from tcpsweep.features.linux import ingredient as linux
from tcpsweep.features.quic import ingredient as quic
from tcpsweep.features.traffic import ingredient as traffic
from tcpsweep.features.wireless import wireless_check

INGREDIENTS: tuple[Ingredient, ...] = (
    corrections.INGREDIENT,
    quic.INGREDIENT,
    linux.INGREDIENT,
    traffic.INGREDIENT,
    wireless_check.INGREDIENT,
)
QUESTIONS: tuple[Question, ...] = ()
