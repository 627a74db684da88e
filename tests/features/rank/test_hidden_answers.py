# SPDX-License-Identifier: MIT
"""Hidden networks: Thresholdout by its definition, the record of answers, and what ends it."""

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.integrate
import scipy.stats

from tcpsweep.core.store import locks
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.rank import hidden_answers
from tcpsweep.features.rank.hidden_answers import Question, Record

SCORES = np.random.default_rng(1).standard_normal((2, 24))
FITTED = Question("fitted", SCORES[0] + 9, SCORES[1])  # to the training networks
FRESH = Question("fresh", SCORES[0] + 9, SCORES[1] + 9)


@pytest.fixture
def hidden_file(tmp_path):
    path = tmp_path / "hidden.yaml"
    path.write_text("sweep: hidden\n")
    return path


@pytest.fixture
def ask(tmp_path, hidden_file, monkeypatch):
    monkeypatch.setattr(hidden_answers.secrets, "token_hex", lambda count: "5" * 2 * count)

    def asked(question, seed=1, **options):
        return hidden_answers.ask(tmp_path / "answers", hidden_file, seed, question, **options)

    return asked


def records(count):
    return [Record("", "", 20, f"{number:064x}") for number in range(count)]


def test_a_fitted_score_has_the_hidden_score_as_its_answer(ask):
    answer, left = ask(FITTED)
    assert (answer.agrees, answer.verdict, left) == (False, "not told apart", 19)
    assert abs(answer.score - SCORES[1].mean()) < answer.margin


def test_a_score_that_agrees_is_its_own_answer():
    answers = [hidden_answers.answered(record, replace(FRESH, hidden=FRESH.training)) for record in records(100)]
    agreeing = [answer for answer in answers if answer.agrees]
    assert {(answer.score, answer.margin) for answer in agreeing} == {(FRESH.training.mean(), None)}
    # The threshold of 4 with noise of scales 2 and 4 is below 0 with this probability: (16 e^(-4/4) − 4 e^(-4/2)) / 24.
    expected = (16 * math.exp(-1) - 4 * math.exp(-2)) / 24
    assert 1 - len(agreeing) / 100 == pytest.approx(expected, abs=3 * (expected * (1 - expected) / 100) ** 0.5)
    assert {answer.verdict for answer in answers} == {"better"}


def test_answers_are_those_of_thresholdout(monkeypatch):
    """The algorithm line by line, as the second paper has it. Its scale sigma is half the standard error."""
    draws = {}
    monkeypatch.setattr(hidden_answers, "_laplace", lambda record, purpose: draws[purpose])
    rng = np.random.default_rng(2)
    record, hidden_scores = Record("", "", 1000, ""), 0
    draws["threshold 0"] = gamma = rng.laplace()
    for number in range(300):
        training, hidden = rng.standard_normal(24) + rng.uniform(-3, 3), rng.standard_normal(24)
        sigma = max(scipy.stats.sem(training), scipy.stats.sem(hidden)) / 2
        draws[f"comparison {number}"], draws[f"answer {number}"] = eta, xi = rng.laplace(size=2)
        if abs(hidden.mean() - training.mean()) > 4 * sigma + 2 * sigma * gamma + 4 * sigma * eta:
            expected = hidden.mean() + sigma * xi
            hidden_scores += 1
            draws[f"threshold {hidden_scores}"] = next_gamma = rng.laplace()
        else:
            expected, next_gamma = training.mean(), gamma
        answer = hidden_answers.answered(record, Question(str(number), training, hidden))
        assert answer.score == pytest.approx(expected)
        record = replace(record, answers={**record.answers, str(number): answer})
        gamma = next_gamma
    assert 50 < hidden_scores < 250


def test_noise_is_laplaces():
    noise = [hidden_answers._laplace(record, "answer") for record in records(2000)]
    assert scipy.stats.kstest(noise, scipy.stats.laplace.cdf).pvalue > 0.01


@pytest.mark.parametrize(("degrees", "level"), [(7, 0.05), (23, 0.0025)])
def test_the_margin_is_a_quantile_of_students_t_with_noise(degrees, level):
    margin = hidden_answers._margin(degrees, level)

    def above(noise):
        return scipy.stats.laplace.pdf(noise, scale=0.5) * scipy.stats.t.sf(margin - noise, degrees)

    tail, _ = scipy.integrate.quad(above, -20, 20, points=[0, margin], limit=200)
    assert 2 * tail == pytest.approx(level, rel=1e-3)


def test_the_same_question_has_the_same_answer_and_costs_nothing(ask):
    first = ask(FITTED)
    ask(FRESH)
    again, left = ask(replace(FITTED, training=SCORES[0] - 50))
    assert (again, left) == (first[0], 18)


def test_another_question_has_other_noise(ask):
    assert ask(FITTED)[0].score != ask(replace(FITTED, name="again"))[0].score


def test_no_question_is_left_after_the_last(ask, hidden_file):
    for number in range(3):
        assert ask(replace(FRESH, name=str(number)), budget=3)[1] == 2 - number
    with pytest.raises(UserError) as error:
        ask(FITTED, budget=1000)
    assert str(error.value) == (
        f"{hidden_file} has answered its 3 questions; more answers would fit candidates to its networks. Make new "
        "hidden networks: copy it under another name, and write other network conditions of the same kind and another "
        "seed"
    )
    assert ask(replace(FRESH, name="2"))[1] == 0  # asked before


def test_changed_networks_answer_nothing(ask, hidden_file):
    ask(FITTED)
    with pytest.raises(UserError, match=r"the seed of .*hidden\.yaml has changed since its first answer"):
        ask(FITTED, seed=2)
    hidden_file.write_text("sweep: easier\n")
    with pytest.raises(UserError, match=r"the content of .*hidden\.yaml has changed since its first answer"):
        ask(FRESH)


def forged(text):
    kept = json.loads(text)
    kept["record"]["budget"] = 1000
    return json.dumps(kept, sort_keys=True, indent=1) + "\n"


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[:-2],
        lambda text: text + "\n",
        lambda text: text.replace('"fitted"', '"another"'),
        lambda text: text.replace("  ", "   ", 1),
        lambda text: "[" * 10_000,
        lambda text: "\0" * len(text),
        forged,
    ],
)
def test_a_damaged_record_answers_nothing(ask, tmp_path, damage):
    ask(FITTED)
    place = tmp_path / "answers" / hidden_answers.FILE
    damaged = damage(place.read_text())
    place.write_text(damaged)
    with pytest.raises(UserError, match=r"hidden-answers.json is damaged, so the answers of .*hidden.yaml are unknown"):
        ask(FRESH)
    assert place.read_text() == damaged


def test_every_flipped_bit_is_noticed(ask, tmp_path, hidden_file):
    ask(FITTED)
    place = tmp_path / "answers" / hidden_answers.FILE
    content = place.read_bytes()
    for byte, bit in itertools.product(range(0, len(content), 7), (0, 3, 6)):
        place.write_bytes(content[:byte] + bytes([content[byte] ^ 1 << bit]) + content[byte + 1 :])
        with pytest.raises(UserError, match="is damaged"):
            hidden_answers.opened(place.parent, hidden_file, 1)


def test_a_link_to_nowhere_is_no_new_record(ask, tmp_path):
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / hidden_answers.FILE).symlink_to(tmp_path / "nowhere")
    with pytest.raises(UserError, match="is damaged"):
        ask(FITTED)


def test_two_processes_do_not_ask_at_the_same_time(ask, tmp_path, hidden_file):
    with locks.derived(tmp_path / "answers", "another question"), pytest.raises(locks.Busy, match="another question"):
        ask(FITTED)
    assert ask(FITTED)[1] == 19


def test_too_few_scores_are_no_question(ask):
    few = np.where(np.arange(24) < 4, SCORES, np.nan)
    with pytest.raises(UserError, match="fitted has scores in fewer than 5 networks, of training or hidden"):
        ask(Question("fitted", few[0], few[1]))
    assert ask(FITTED)[1] == 19  # it did not count
