/** Where a step has failed, as its failure details say. */
export type FailureStage = 'InputResolution' | 'Invocation' | 'Verification';

const WHERE: Readonly<Record<FailureStage, string>> = {
  InputResolution: 'validating and resolving the step inputs',
  Invocation: 'Execute/Cancelling action',
  Verification: 'Poll action status for completion',
};

/**
 * A step has failed.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-troubleshooting.html
 */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
  constructor(
    /** What has happened. */
    readonly reason: string,
    readonly stage: FailureStage = 'Invocation',
    /** Kind of failure, e.g. the code of a service's error. */
    readonly type = 'Action',
    /** Replaces the words that AWS has for the stage. */
    where = WHERE[stage],
  ) {
    super(
      `Step fails when it is ${where}. ${reason}. Please refer to Automation Service Troubleshooting Guide for more diagnosis details.`,
    );
  }
}

/** Why an execution or a step ends before it is done. */
export class Ended extends Error {
  override readonly name = 'Ended';
  constructor(readonly why: 'suspended' | 'cancelled' | 'stopped' | 'timed-out' | 'alarm') {
    super(why);
  }
}

/** An execution ends because a step of it has failed. */
export class ExecutionFailure extends Error {
  override readonly name = 'ExecutionFailure';
  constructor(
    message: string,
    readonly status: 'Failed' | 'TimedOut' | 'Rejected' = 'Failed',
  ) {
    super(message);
  }
}
