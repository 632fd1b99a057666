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
  /** Clusters with how many services and tasks they have. `GET /_emulator/ecs/clusters` */
  clusters(): Promise<{ clusters: EcsCluster[] }> {
    return this.transport.json('GET /_emulator/ecs/clusters');
  }

  /**
   * Tasks of all clusters. `GET /_emulator/ecs/tasks`
   * @param filter only the tasks of a cluster, of a family, or with a status
   */
  tasks(filter?: EcsTaskQuery): Promise<{ tasks: EcsTask[] }> {
    return this.transport.json('GET /_emulator/ecs/tasks', { query: filter });
  }

  /**
   * A task with its containers, exit codes and network. `GET /_emulator/ecs/tasks/{task_id}`
   * @throws ApiError 404 for an unknown task
   */
  task(taskId: string): Promise<EcsTaskDetails> {
    return this.transport.json('GET /_emulator/ecs/tasks/{task_id}', { params: { task_id: taskId } });
  }

  /**
   * What a task's containers wrote. `GET /_emulator/ecs/tasks/{task_id}/logs`
   * @throws ApiError 404 for an unknown task
   */
  taskLogs(taskId: string): Promise<EcsTaskLogs> {
    return this.transport.json('GET /_emulator/ecs/tasks/{task_id}/logs', { params: { task_id: taskId } });
  }

  /**
   * Stops a running task. `POST /_emulator/ecs/tasks/{task_id}/force-stop`
   * @returns the task, stopped
   * @throws ApiError 404 for an unknown task
   */
  forceStopTask(taskId: string): Promise<EcsTaskDetails> {
    return this.transport.json('POST /_emulator/ecs/tasks/{task_id}/force-stop', { params: { task_id: taskId } });
  }

  /**
   * Lets a running task fail. `POST /_emulator/ecs/tasks/{task_id}/mark-failed`
   * @param failure the reason and exit code to show
   * @returns the task, failed
   * @throws ApiError 404 for an unknown task
   */
  markTaskFailed(taskId: string, failure?: EcsMarkFailedRequest): Promise<EcsTaskDetails> {
    return this.transport.json('POST /_emulator/ecs/tasks/{task_id}/mark-failed', {
      params: { task_id: taskId },
      body: failure,
    });
  }

  /** Lifecycle events of tasks and services, oldest first. `GET /_emulator/ecs/events` */
  events(): Promise<{ events: EcsEvent[] }> {
    return this.transport.json('GET /_emulator/ecs/events');
  }

  /**
   * Credentials of a running task's role, as the task itself gets them. `GET /_emulator/ecs/creds/{task_id}`
   * @throws ApiError 400 `InvalidIdInRequest` for a task that is unknown, has stopped or has no role
   */
  taskCredentials(taskId: string): Promise<CredentialsRecord> {
    return this.transport.json('GET /_emulator/ecs/creds/{task_id}', { params: { task_id: taskId } });
  }

  /**
   * The task metadata, version 3, as the task itself gets it. `GET /_emulator/ecs/v3/{task_id}`
   * @throws ApiError 404 for an unknown task
   */
  taskMetadataV3(taskId: string): Promise<EcsTaskMetadataV3> {
    return this.transport.json('GET /_emulator/ecs/v3/{task_id}', { params: { task_id: taskId } });
  }

  /**
   * The task metadata, version 4, as the task itself gets it. `GET /_emulator/ecs/v4/{task_id}`
   * @throws ApiError 404 for an unknown task
   */
  taskMetadataV4(taskId: string): Promise<EcsTaskMetadataV4> {
    return this.transport.json('GET /_emulator/ecs/v4/{task_id}', { params: { task_id: taskId } });
  }

  /**
   * The version 4 metadata of a task and all its containers. `GET /_emulator/ecs/metadata/{task_arn}`
   * @throws ApiError 404 for an unknown task
   */
  metadata(taskArn: string): Promise<EcsAggregatedMetadata> {
    return this.transport.json('GET /_emulator/ecs/metadata/{task_arn}', { params: { task_arn: taskArn } });
  }
}
