"""What the flows have in common."""

import threading

import pytest

from flows.flow_run import task_runner

pytestmark = pytest.mark.services

SECONDS_TO_MEET = 60


def test_there_is_a_thread_for_each_process_and_one_for_work_that_is_to_come(shared_project):
    import prefect

    from flows.servers.project_servers import ensure_prefect_server

    ensure_prefect_server()
    meeting = threading.Barrier(3, timeout=SECONDS_TO_MEET)

    @prefect.task
    def meet():
        return meeting.wait()

    @prefect.flow(task_runner=task_runner(2))
    def all_meet():
        begun = [meet.submit() for _ in range(3)]
        return sorted(future.result() for future in begun)

    assert all_meet() == [0, 1, 2]
