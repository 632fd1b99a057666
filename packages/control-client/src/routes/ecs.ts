import type { Located, Timestamp } from './common.ts';
import type { CredentialsRecord } from './core.ts';
import type { EcsAggregatedMetadata, EcsTaskMetadataV3, EcsTaskMetadataV4 } from './ecs-metadata.ts';

/** A cluster. */
export interface EcsCluster extends Located {
  clusterName: string;
  clusterArn: string;
  status: string;
  activeServicesCount: number;
  runningTasksCount: number;
  pendingTasksCount: number;
}

/** A task in a list. */
export interface EcsTask extends Located {
  /** Last segment of the ARN. */
  taskId: string;
  taskArn: string;
  clusterArn: string;
  taskDefinitionArn: string;
  family: string;
  /** e.g. `service:web`. */
  group?: string;
  launchType: string;
  lastStatus: string;
  desiredStatus: string;
  createdAt: Timestamp;
  startedAt?: Timestamp;
  stoppedAt?: Timestamp;
  stopCode?: string;
  stoppedReason?: string;
}

/** A container of a task with its run-time data. */
export interface EcsTaskContainer {
  name: string;
  image: string;
  lastStatus: string;
  healthStatus: 'HEALTHY' | 'UNHEALTHY' | 'UNKNOWN';
  /** Id in the container engine; absent if it does not run. */
  runtimeId?: string;
  exitCode?: number;
  reason?: string;
  networkBindings: { bindIP: string; containerPort: number; hostPort: number; protocol: 'tcp' | 'udp' }[];
  privateIpv4Addresses: string[];
}

/** A task with its containers and network. */
export interface EcsTaskDetails extends EcsTask {
  containers: EcsTaskContainer[];
  networkMode: string;
  subnetId?: string;
  privateIpv4Address?: string;
  taskRoleArn?: string;
  executionRoleArn?: string;
}

/** Output of a task's containers. */
export interface EcsTaskLogs {
  taskArn: string;
  containers: { name: string; stdout: string; stderr: string }[];
}

/** Filter of tasks. All conditions must match. */
export interface EcsTaskQuery {
  /** Name or ARN. */
  cluster?: string;
  family?: string;
  /** Last status, e.g. `RUNNING`. */
  status?: string;
}

/** Failure of a task. */
export interface EcsMarkFailedRequest {
  reason?: string;
  /** Exit code of its containers; 1 by default. */
  exitCode?: number;
}

/** A lifecycle event of a task or service. */
export interface EcsEvent extends Located {
  eventId: string;
  /** Detail type of the EventBridge event, e.g. `ECS Task State Change`. */
  detailType: string;
  clusterArn: string;
  resourceArn: string;
  lastStatus?: string;
  desiredStatus?: string;
  message?: string;
  timestamp: Timestamp;
}

/** Control routes of ECS. The filter of the task list is an addition to the specification. */
export interface EcsRoutes {
  'GET /_emulator/ecs/clusters': { response: { clusters: EcsCluster[] } };
  'GET /_emulator/ecs/tasks': { query?: EcsTaskQuery; response: { tasks: EcsTask[] } };
  'GET /_emulator/ecs/tasks/{task_id}': { response: EcsTaskDetails };
  'GET /_emulator/ecs/tasks/{task_id}/logs': { response: EcsTaskLogs };
  'POST /_emulator/ecs/tasks/{task_id}/force-stop': { response: EcsTaskDetails };
  'POST /_emulator/ecs/tasks/{task_id}/mark-failed': { body?: EcsMarkFailedRequest; response: EcsTaskDetails };
  'GET /_emulator/ecs/events': { response: { events: EcsEvent[] } };
  'GET /_emulator/ecs/creds/{task_id}': { response: CredentialsRecord };
  'GET /_emulator/ecs/v3/{task_id}': { response: EcsTaskMetadataV3 };
  'GET /_emulator/ecs/v4/{task_id}': { response: EcsTaskMetadataV4 };
  'GET /_emulator/ecs/metadata/{task_arn}': { response: EcsAggregatedMetadata };
}
