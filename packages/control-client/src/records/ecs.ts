import type { Located, Timestamp } from './common.ts';

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
