from __future__ import annotations

from pedkit.training import MetricsCsv


def _rows(folder):
    return (folder / "metrics.csv").read_text(encoding="utf-8").splitlines()


def test_a_row_a_step_a_column_a_metric(tmp_path):
    logger = MetricsCsv(tmp_path)
    logger.log_metrics({"learning_rate": 0.001, "epoch": 0}, step=4)
    logger.log_metrics({"dev_per": 0.5, "epoch": 0}, step=9)
    logger.log_metrics({"train_loss": 2.0, "epoch": 0}, step=9)
    assert _rows(tmp_path) == [
        "step,learning_rate,epoch,dev_per,train_loss",
        "4,0.001,1,,",
        "9,,1,0.5,2",
    ]


def test_results_of_an_epoch_are_on_disk_at_once(tmp_path):
    logger = MetricsCsv(tmp_path)
    logger.log_metrics({"dev_per": 0.5}, step=9)
    logger.log_metrics({"learning_rate": 0.1}, step=10)
    assert _rows(tmp_path) == ["step,dev_per", "9,0.5"]
    logger.finalize("success")
    assert _rows(tmp_path) == ["step,dev_per,learning_rate", "9,0.5,", "10,,0.1"]


def test_a_resumed_run_continues_the_table_and_steps_never_go_back(tmp_path):
    # pytorch-lightning #12724, wandb #1626
    first = MetricsCsv(tmp_path)
    for step in (9, 19, 24):
        first.log_metrics({"dev_per": step / 100}, step=step)
    resumed = MetricsCsv(tmp_path)
    resumed.log_metrics({"dev_per": 0.5}, step=19)  # continued from the checkpoint after step 9
    assert _rows(tmp_path) == ["step,dev_per", "9,0.09", "19,0.5"]


def test_nothing_logged_nothing_written(tmp_path):
    MetricsCsv(tmp_path).finalize("failed")
    assert not list(tmp_path.iterdir())
