import type { Located, Timestamp } from './common.ts';

/** A scaling activity, successful or not. */
export interface ScalingActivityRecord extends Located {
  activityId: string;
  serviceNamespace: string;
  resourceId: string;
  scalableDimension: string;
  /** Name of the policy or scheduled action that caused it. */
  causeName: string;
  previousCapacity: number;
  desiredCapacity: number;
  statusCode: 'Pending' | 'InProgress' | 'Successful' | 'Overridden' | 'Unfulfilled' | 'Failed';
  statusMessage?: string;
  startTime: Timestamp;
}

/** Result of one evaluation of scaling policies. */
export interface ScalingTickResult {
  evaluatedPolicies: number;
  activities: ScalingActivityRecord[];
}

/** Result of running the due scheduled actions. */
export interface ScheduledScalingTickResult {
  executedActions: number;
  activities: ScalingActivityRecord[];
}
