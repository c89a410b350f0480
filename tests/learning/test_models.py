"""Models: padding never matters, sizes are the published ones."""

from __future__ import annotations

import pytest
import torch

from gazeline.learning.training.losses import class_weights, weighted_loss
from gazeline.learning.training.models.inputs import Moments, Tokens
from gazeline.learning.training.models.registry import build_model, max_tokens, n_parameters
from gazeline.params.learning import ModelsParams


def made(name, width=12, n_outputs=1):
    torch.manual_seed(0)
    model = build_model(name, ModelsParams(), {"video": Moments.identity(width)}, n_outputs)
    return model.eval()


def batch(n=3, tokens=7, width=12):
    values = torch.randn(n, tokens, width, generator=torch.Generator().manual_seed(1))
    padding = torch.zeros(n, tokens, dtype=torch.bool)
    padding[0, 4:] = True
    return Tokens(values, padding)


@pytest.mark.parametrize("name", ["mlp", "transformer"])
def test_what_stands_in_the_padding_does_not_matter(name):
    model, tokens = made(name), batch()
    changed = tokens.values.clone()
    changed[0, 4:] = 99.0
    with torch.no_grad():
        before = model({"video": tokens})
        after = model({"video": Tokens(changed, tokens.padding)})
        alone = Tokens(tokens.values[:1, :4], tokens.padding[:1, :4])
        torch.testing.assert_close(before, after)
        torch.testing.assert_close(before[:1], model({"video": alone}), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize("name", ["mlp", "transformer"])
def test_a_model_gives_a_logit_per_output(name, n_outputs):
    assert made(name, n_outputs=n_outputs)({"video": batch()}).shape == (3, n_outputs)


@pytest.mark.parametrize(("width", "published"), [(512, 800_000), (768, 770_000)])
def test_the_transformer_has_about_the_published_number_of_parameters(width, published):
    """Paper A.4.3 (about 800k) and A.4.4 (approx. 770k)."""
    assert n_parameters(made("transformer", width)) == pytest.approx(published, rel=0.08)


def test_the_transformer_caps_tokens_as_published_and_the_mlp_takes_all():
    params = ModelsParams()
    caps = {m: max_tokens("transformer", params, m) for m in ("video", "audio", "text")}
    assert caps == {"video": 160, "audio": 15, "text": 512}
    assert max_tokens("mlp", params, "video") is None


def test_constant_features_do_not_divide_by_zero():
    moments = {"video": Moments(torch.zeros(12), torch.zeros(12))}
    model = build_model("mlp", ModelsParams(), moments, 1).eval()
    tokens = Tokens(torch.zeros(2, 3, 12), torch.zeros(2, 3, dtype=torch.bool))
    assert torch.isfinite(model({"video": tokens})).all()


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
