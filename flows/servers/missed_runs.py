"""Scheduled runs that were missed: one run makes up for all of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID


def skip_missed_runs() -> int:
    """Delete what the schedule of the present flow run has missed so far, and say how many.

    A run that takes longer than the time to the next one, a machine that was asleep or a server
    that was down leave runs that are late. They would all be run one after the other, ever more of
    them; the present run does their work. Runs that a user asked for, and those with other
    parameters, are left alone. Without a schedule there is nothing to do.
    """
    from prefect.client.orchestration import get_client
    from prefect.exceptions import ObjectNotFound
    from prefect.runtime import deployment, flow_run

    if not (deployment.id and flow_run.id):
        return 0
    skipped = 0
    with get_client(sync_client=True) as client:
        own = client.read_flow_run(UUID(flow_run.id))
        while late := _late_runs(client, UUID(deployment.id), own.parameters):
            for run in late:
                try:
                    client.delete_flow_run(run.id)
                except ObjectNotFound:
                    continue
                skipped += 1
    return skipped


def _late_runs(client: Any, deployment: UUID, parameters: dict[str, Any]) -> list[Any]:
    from prefect.client.schemas.filters import (
        DeploymentFilter,
        DeploymentFilterId,
        FlowRunFilter,
        FlowRunFilterExpectedStartTime,
        FlowRunFilterState,
        FlowRunFilterStateType,
    )
    from prefect.client.schemas.objects import StateType

    now: Any = datetime.now(UTC)
    waiting = FlowRunFilterStateType(any_=[StateType.SCHEDULED])
    found = client.read_flow_runs(
        flow_run_filter=FlowRunFilter(
            state=FlowRunFilterState(type=waiting),
            expected_start_time=FlowRunFilterExpectedStartTime(before_=now),
        ),
        deployment_filter=DeploymentFilter(id=DeploymentFilterId(any_=[deployment])),
    )
    return [run for run in found if run.auto_scheduled and run.parameters == parameters]
