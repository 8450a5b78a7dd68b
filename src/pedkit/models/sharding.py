"""Weights shared out over processes (FSDP2): which parts of an encoder are gathered together, and when."""

from __future__ import annotations

from torch import nn
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.fsdp import FSDPModule, fully_shard


def shard(encoder: nn.Module, mesh: DeviceMesh) -> None:
    """Share out the weights of each layer, and of the rest; a second call does nothing.

    Args:
        encoder: Layers are the modules in its ``ModuleList``s.
        mesh: The processes.
    """
    if isinstance(encoder, FSDPModule):
        return
    lists = [module for module in encoder.modules() if isinstance(module, nn.ModuleList)]
    for layer in [layer for layers in lists for layer in layers]:
        if any(True for _ in layer.parameters()):
            fully_shard(layer, mesh=mesh)
    fully_shard(encoder, mesh=mesh)


def hold_whole(encoder: nn.Module, whole: bool) -> None:
    """Gather all weights in every process and hold them, or share them out again; others are left as they are.

    While they are held, a forward pass waits for no other process.
    """
    for module in encoder.modules():
        if isinstance(module, FSDPModule):
            module.set_reshard_after_forward(not whole, recurse=False)
            if whole:
                module.unshard()
            else:
                module.reshard()
