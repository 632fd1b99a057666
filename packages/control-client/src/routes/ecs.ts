import type { CredentialsRecord } from '../records/core.ts';
import type {
  EcsCluster,
  EcsEvent,
  EcsMarkFailedRequest,
  EcsTask,
  EcsTaskDetails,
  EcsTaskLogs,
  EcsTaskQuery,
} from '../records/ecs.ts';
import type { EcsAggregatedMetadata, EcsTaskMetadataV3, EcsTaskMetadataV4 } from '../records/ecs-metadata.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of ECS. A task id is the last segment of the task's ARN. */
export const ecs = {
  /** Lists clusters with their numbers of services and tasks. `GET /_emulator/ecs/clusters` */
  clusters: json<{ clusters: EcsCluster[] }>()('GET /_emulator/ecs/clusters'),

  /**
   * Lists the tasks of all clusters. `GET /_emulator/ecs/tasks`
   * @param filter by cluster, family or status
   */
  tasks: json<{ tasks: EcsTask[] }>()('GET /_emulator/ecs/tasks', (filter?: EcsTaskQuery) => ({ query: filter })),

  /**
   * Returns a task with its containers, exit codes and network. `GET /_emulator/ecs/tasks/{task_id}`
   * @throws ApiError 404 for an unknown task
   */
  task: json<EcsTaskDetails>()('GET /_emulator/ecs/tasks/{task_id}', (taskId: string) => ({
    params: { task_id: taskId },
  })),

  /**
   * Returns the output of a task's containers. `GET /_emulator/ecs/tasks/{task_id}/logs`
   * @throws ApiError 404 for an unknown task
   */
  taskLogs: json<EcsTaskLogs>()('GET /_emulator/ecs/tasks/{task_id}/logs', (taskId: string) => ({
    params: { task_id: taskId },
  })),

  /**
   * Stops a running task. `POST /_emulator/ecs/tasks/{task_id}/force-stop`
   * @returns the stopped task
   * @throws ApiError 404 for an unknown task
   */
  forceStopTask: json<EcsTaskDetails>()('POST /_emulator/ecs/tasks/{task_id}/force-stop', (taskId: string) => ({
    params: { task_id: taskId },
  })),

  /**
   * Makes a running task fail. `POST /_emulator/ecs/tasks/{task_id}/mark-failed`
   * @param failure reason and exit code
   * @returns the failed task
   * @throws ApiError 404 for an unknown task
   */
  markTaskFailed: json<EcsTaskDetails>()(
    'POST /_emulator/ecs/tasks/{task_id}/mark-failed',
    (taskId: string, failure?: EcsMarkFailedRequest) => ({
      params: { task_id: taskId },
      body: failure,
    }),
  ),

  /** Lists lifecycle events of tasks and services, oldest first. `GET /_emulator/ecs/events` */
  events: json<{ events: EcsEvent[] }>()('GET /_emulator/ecs/events'),

  /**
   * Returns the credentials of a running task's role, as the task itself receives them. `GET
   * /_emulator/ecs/creds/{task_id}`
   * @throws ApiError 400 `InvalidIdInRequest` for an unknown or stopped task, or one without a role
   */
  taskCredentials: json<CredentialsRecord>()('GET /_emulator/ecs/creds/{task_id}', (taskId: string) => ({
    params: { task_id: taskId },
  })),

  /**
   * Returns the task metadata, version 3, as the task itself receives it. `GET /_emulator/ecs/v3/{task_id}`
   * @throws ApiError 404 for an unknown task
   */
  taskMetadataV3: json<EcsTaskMetadataV3>()('GET /_emulator/ecs/v3/{task_id}', (taskId: string) => ({
    params: { task_id: taskId },
  })),

  /**
   * Returns the task metadata, version 4, as the task itself receives it. `GET /_emulator/ecs/v4/{task_id}`
   * @throws ApiError 404 for an unknown task
   */
  taskMetadataV4: json<EcsTaskMetadataV4>()('GET /_emulator/ecs/v4/{task_id}', (taskId: string) => ({
    params: { task_id: taskId },
  })),

  /**
   * Returns the version 4 metadata of a task and all its containers. `GET /_emulator/ecs/metadata/{task_arn}`
   * @throws ApiError 404 for an unknown task
   */
  metadata: json<EcsAggregatedMetadata>()('GET /_emulator/ecs/metadata/{task_arn}', (taskArn: string) => ({
    params: { task_arn: taskArn },
  })),
};

/** Methods for the control routes of ECS. */
export interface EcsControl extends MethodsOf<typeof ecs> {}

/** Control routes of ECS by name. */
export type EcsRoutes = RoutesOf<typeof ecs>;
