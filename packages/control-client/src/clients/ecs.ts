import type { CredentialsRecord } from '../routes/core.ts';
import type {
  EcsCluster,
  EcsEvent,
  EcsMarkFailedRequest,
  EcsTask,
  EcsTaskDetails,
  EcsTaskLogs,
  EcsTaskQuery,
} from '../routes/ecs.ts';
import type { EcsAggregatedMetadata, EcsTaskMetadataV3, EcsTaskMetadataV4 } from '../routes/ecs-metadata.ts';
import { AreaControl } from './area.ts';

/** Control routes of ECS. A task id is the last segment of the task's ARN. */
export class EcsControl extends AreaControl {
  /** Lists clusters with their numbers of services and tasks. `GET /_emulator/ecs/clusters` */
  clusters(): Promise<{ clusters: EcsCluster[] }> {
    return this.transport.json('GET /_emulator/ecs/clusters');
  }

  /**
   * Lists the tasks of all clusters. `GET /_emulator/ecs/tasks`
   * @param filter by cluster, family or status
   */
  tasks(filter?: EcsTaskQuery): Promise<{ tasks: EcsTask[] }> {
    return this.transport.json('GET /_emulator/ecs/tasks', { query: filter });
  }

  /**
   * Returns a task with its containers, exit codes and network. `GET /_emulator/ecs/tasks/{task_id}`
   * @throws ApiError 404 for an unknown task
   */
  task(taskId: string): Promise<EcsTaskDetails> {
    return this.transport.json('GET /_emulator/ecs/tasks/{task_id}', { params: { task_id: taskId } });
  }

  /**
   * Returns the output of a task's containers. `GET /_emulator/ecs/tasks/{task_id}/logs`
   * @throws ApiError 404 for an unknown task
   */
  taskLogs(taskId: string): Promise<EcsTaskLogs> {
    return this.transport.json('GET /_emulator/ecs/tasks/{task_id}/logs', { params: { task_id: taskId } });
  }

  /**
   * Stops a running task. `POST /_emulator/ecs/tasks/{task_id}/force-stop`
   * @returns the stopped task
   * @throws ApiError 404 for an unknown task
   */
  forceStopTask(taskId: string): Promise<EcsTaskDetails> {
    return this.transport.json('POST /_emulator/ecs/tasks/{task_id}/force-stop', { params: { task_id: taskId } });
  }

  /**
   * Makes a running task fail. `POST /_emulator/ecs/tasks/{task_id}/mark-failed`
   * @param failure reason and exit code
   * @returns the failed task
   * @throws ApiError 404 for an unknown task
   */
  markTaskFailed(taskId: string, failure?: EcsMarkFailedRequest): Promise<EcsTaskDetails> {
    return this.transport.json('POST /_emulator/ecs/tasks/{task_id}/mark-failed', {
      params: { task_id: taskId },
      body: failure,
    });
  }

  /** Lists lifecycle events of tasks and services, oldest first. `GET /_emulator/ecs/events` */
  events(): Promise<{ events: EcsEvent[] }> {
    return this.transport.json('GET /_emulator/ecs/events');
  }

  /**
   * Returns the credentials of a running task's role, as the task itself receives them. `GET
   * /_emulator/ecs/creds/{task_id}`
   * @throws ApiError 400 `InvalidIdInRequest` for an unknown or stopped task, or one without a role
   */
  taskCredentials(taskId: string): Promise<CredentialsRecord> {
    return this.transport.json('GET /_emulator/ecs/creds/{task_id}', { params: { task_id: taskId } });
  }

  /**
   * Returns the task metadata, version 3, as the task itself receives it. `GET /_emulator/ecs/v3/{task_id}`
   * @throws ApiError 404 for an unknown task
   */
  taskMetadataV3(taskId: string): Promise<EcsTaskMetadataV3> {
    return this.transport.json('GET /_emulator/ecs/v3/{task_id}', { params: { task_id: taskId } });
  }

  /**
   * Returns the task metadata, version 4, as the task itself receives it. `GET /_emulator/ecs/v4/{task_id}`
   * @throws ApiError 404 for an unknown task
   */
  taskMetadataV4(taskId: string): Promise<EcsTaskMetadataV4> {
    return this.transport.json('GET /_emulator/ecs/v4/{task_id}', { params: { task_id: taskId } });
  }

  /**
   * Returns the version 4 metadata of a task and all its containers. `GET /_emulator/ecs/metadata/{task_arn}`
   * @throws ApiError 404 for an unknown task
   */
  metadata(taskArn: string): Promise<EcsAggregatedMetadata> {
    return this.transport.json('GET /_emulator/ecs/metadata/{task_arn}', { params: { task_arn: taskArn } });
  }
}
