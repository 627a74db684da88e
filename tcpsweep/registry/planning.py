# SPDX-License-Identifier: MIT
"""What planning a sweep needs of features: ingredients, questions, builds. It loads no feature's tables or pages."""

from tcpsweep.core.contact.build import Build
from tcpsweep.core.contact.ingredient import Ingredient
from tcpsweep.core.contact.question import Question
from tcpsweep.features.corrections import ingredient as corrections
from tcpsweep.features.linux import build as kernels
from tcpsweep.features.linux import ingredient as linux
from tcpsweep.features.quic import ingredient as quic
from tcpsweep.features.quic import stack_build as quic_stacks
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
BUILDS: tuple[Build, ...] = (quic_stacks.BUILD, kernels.BUILD)
