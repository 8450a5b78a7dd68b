"""Jobs of a sweep: a run folder each, failures that do not stop the others, and a table in the end."""
from omegaconf import DictConfig
from hydra.experimental.callback import Callback
class SweepTable(Callback): pass
def train_job(cfg: DictConfig) -> float:
    from pedkit.training.train import train
    return train(cfg)
