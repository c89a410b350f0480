"""Models: padding never matters, sizes are the published ones."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from gazeline.learning.training.losses import class_weights, weighted_loss
from gazeline.learning.training.models.inputs import Batch, Moments, Tokens
from gazeline.learning.training.models.registry import build_model, n_parameters
from gazeline.learning.training.models.transformer import film_means
from gazeline.params.learning import ModelsParams

NETWORKS = ("mlp", "transformer", "perceiver", "differential")


def made(name, widths=None, n_outputs=1):
    torch.manual_seed(0)
    moments = {m: Moments.identity(w) for m, w in (widths or {"video": 12}).items()}
    return build_model(name, ModelsParams(), moments, n_outputs).eval()


def batch(lengths, widths=None, films=None):
    """Return a batch of random tokens: `lengths` are those of video, others have one more."""
    generator = torch.Generator().manual_seed(1)
    tokens = {}
    for extra, (name, width) in enumerate((widths or {"video": 12}).items()):
        n = np.array(lengths) + extra
        tokens[name] = Tokens(torch.randn(int(n.sum()), width, generator=generator), n)
    return Batch(tokens, torch.tensor(films or [0] * len(lengths)))


def only(given, which):
    """Return one sample of a batch."""
    tokens = {}
    for name, t in given.tokens.items():
        end = int(t.lengths[: which + 1].sum())
        n = t.lengths[which : which + 1]
        tokens[name] = Tokens(t.values[end - int(n[0]) : end], n)
    return Batch(tokens, given.films[which : which + 1])


@pytest.mark.parametrize("name", ["mlp", "transformer", "perceiver"])
@pytest.mark.parametrize("widths", [{"video": 12}, {"video": 12, "text": 20, "audio": 16}])
def test_a_sample_scores_alone_as_it_does_among_longer_ones(name, widths):
    model, given = made(name, widths), batch([4, 9, 1], widths)
    with torch.no_grad():
        together = model(given)
        for which in range(3):
            alone = model(only(given, which))
            torch.testing.assert_close(together[which : which + 1], alone, atol=1e-5, rtol=1e-5)


def padded_logits(model, given):
    """Return what torch's own encoder gives on tokens padded as a batch."""
    rows = model.embedding(given)
    lengths = given.tokens["video"].lengths
    width = rows.shape[1]
    padded = torch.zeros(len(lengths), int(lengths.max()) + 1, width)
    hidden = torch.ones(padded.shape[:2], dtype=torch.bool)
    for sample, part in enumerate(rows.split(lengths.tolist())):
        padded[sample, : len(part) + 1] = torch.cat([model.cls, part])
        hidden[sample, : len(part) + 1] = False
    return model.head(model.encoder(padded, src_key_padding_mask=hidden)[:, 0])


def test_packed_tokens_give_the_losses_and_gradients_of_torchs_padded_encoder():
    model, given = made("transformer"), batch([30, 1, 17, 5])
    model.train()
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
        if isinstance(module, torch.nn.MultiheadAttention):
            module.dropout = 0.0
    targets = torch.tensor([1, 0, 0, 1])
    gradients, losses = [], []
    for answer in (model, lambda b: padded_logits(model, b)):
        model.zero_grad()
        loss = weighted_loss(answer(given), targets, torch.ones(2))
        loss.backward()
        losses.append(loss.detach())
        gradients.append({n: p.grad.clone() for n, p in model.named_parameters()})
    torch.testing.assert_close(losses[0], losses[1], atol=1e-6, rtol=1e-6)
    for name, gradient in gradients[0].items():
        torch.testing.assert_close(gradient, gradients[1][name], atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize("name", NETWORKS)
def test_a_model_gives_a_logit_per_output(name, n_outputs):
    assert made(name, n_outputs=n_outputs)(batch([7, 4, 7])).shape == (3, n_outputs)


@pytest.mark.parametrize(
    ("widths", "published"),
    [
        ({"video": 512}, 800_000),
        ({"text": 768}, 800_000),
        ({"audio": 768}, 770_000),
        ({"video": 512, "text": 768}, 1_500_000),
    ],
)
def test_the_transformer_has_about_the_published_number_of_parameters(widths, published):
    """Paper A.4.3 (about 800k), A.4.4 (approx. 770k) and A.4.5 (approximately 1,500k)."""
    assert n_parameters(made("transformer", widths)) == pytest.approx(published, rel=0.08)


def test_the_parameters_of_a_transformer_are_those_counted_by_hand():
    layer = 4 * 128**2 + 4 * 128 + 2 * 128 * 1024 + 1024 + 128 + 4 * 128
    rest = 2 * 512 + 512 * 128 + 128 + 128 + 128**2 + 128 + 128 + 1
    assert n_parameters(made("transformer", {"video": 512})) == 2 * layer + rest
    more = 512 * 512 + 512 + 768 * 512 + 512 + (160 + 512 + 2) * 128
    both = n_parameters(made("transformer", {"video": 512, "text": 768}))
    assert both == 2 * layer + rest + more


def test_the_order_of_tokens_matters_to_models_that_know_positions_only():
    turned = {"video": batch([6]).tokens["video"].values.flip(0)}
    for name, widths, matters in (
        ("transformer", {"video": 12}, False),
        ("perceiver", {"video": 12}, True),
        ("transformer", {"video": 12, "text": 20}, True),
    ):
        model, given = made(name, widths), batch([6], widths)
        tokens = {m: Tokens(turned.get(m, t.values), t.lengths) for m, t in given.tokens.items()}
        with torch.no_grad():
            same = torch.allclose(model(given), model(Batch(tokens, given.films)), atol=1e-6)
        assert same != matters


def test_a_differential_model_classifies_the_difference_from_the_films_mean():
    model, given = made("differential"), batch([7, 4, 3, 5], films=[3, 8, 3, 8])
    with torch.no_grad():
        f = model.represent(given)
        centred = torch.stack([f[0] - f[2], f[1] - f[3], f[2] - f[0], f[3] - f[1]]) / 2
        torch.testing.assert_close(model(given), model.head(centred))
    assert film_means(torch.tensor([[1.0], [5.0], [3.0]]), torch.tensor([0, 1, 0])).tolist() == [
        [2.0],
        [5.0],
        [2.0],
    ]


def test_constant_features_do_not_divide_by_zero():
    moments = {"video": Moments(torch.zeros(12), torch.zeros(12))}
    model = build_model("mlp", ModelsParams(), moments, 1).eval()
    tokens = Tokens(torch.zeros(6, 12), np.array([3, 3]))
    assert torch.isfinite(model(Batch({"video": tokens}, torch.zeros(2)))).all()


def test_weighted_loss_agrees_with_torch():
    generator = torch.Generator().manual_seed(2)
    logits = torch.randn(9, 3, generator=generator)
    targets = torch.tensor([0, 1, 2, 0, 0, 1, 2, 0, 0])
    weights = class_weights(targets.numpy(), 3, even=True)
    expected = torch.nn.functional.cross_entropy(logits, targets, weight=weights)
    torch.testing.assert_close(weighted_loss(logits, targets, weights), expected)
    assert weights.tolist() == pytest.approx([9 / 15, 9 / 6, 9 / 6])


def test_two_classes_are_one_logit():
    logits, targets = torch.tensor([[2.0], [-1.0]]), torch.tensor([1, 0])
    expected = torch.nn.functional.cross_entropy(torch.tensor([[0.0, 2.0], [0.0, -1.0]]), targets)
    torch.testing.assert_close(weighted_loss(logits, targets, torch.ones(2)), expected)
