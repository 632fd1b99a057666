import type { Located, Timestamp } from './common.ts';

/** A change of capacity that scaling made or tried. */
export interface ScalingActivityRecord extends Located {
  activityId: string;
  serviceNamespace: string;
  resourceId: string;
  scalableDimension: string;
  /** Name of the policy or scheduled action behind it. */
  causeName: string;
  previousCapacity: number;
  desiredCapacity: number;
  statusCode: 'Pending' | 'InProgress' | 'Successful' | 'Overridden' | 'Unfulfilled' | 'Failed';
  statusMessage?: string;
  startTime: Timestamp;
}

/** What one evaluation of scaling policies did. */
export interface ScalingTickResult {
  evaluatedPolicies: number;
  activities: ScalingActivityRecord[];
}

/** What running the due scheduled actions did. */
export interface ScheduledScalingTickResult {
  executedActions: number;
  activities: ScalingActivityRecord[];
}

/** Control routes of Application Auto Scaling. */
export interface ApplicationAutoscalingRoutes {
  'POST /_emulator/application-autoscaling/tick': { response: ScalingTickResult };
  'POST /_emulator/application-autoscaling/scheduled-tick': { response: ScheduledScalingTickResult };
}
