/** A failure in an execution: an error name for Retry and Catch, and the reason. */
export class StateFailure extends Error {
  override readonly name = 'StateFailure';
  constructor(
    readonly error: string | undefined,
    readonly reason: string | undefined,
    /** Field of a JSONata state whose evaluation failed. */
    readonly location?: string,
    /** Whether the reason is prefixed with the state's name, as for errors of AWS itself. */
    readonly ofState = false,
  ) {
    super(reason ?? error ?? '');
  }
}

/** A missed heartbeat: a timeout that rules may also name `States.HeartbeatTimeout`. */
export class HeartbeatFailure extends StateFailure {
  constructor() {
    super('States.Timeout', undefined);
  }
}

/** Returns `States.Runtime`, a failure in processing the state's data, which no catcher matches. */
export const runtimeFailure = (reason: string): StateFailure =>
  new StateFailure('States.Runtime', reason, undefined, true);

/** Returns the failure of an expression. */
export const queryFailure = (reason: string, location?: string): StateFailure =>
  new StateFailure('States.QueryEvaluationError', reason, location, true);

/** Returns the failure for a result above 256 KiB. @param of the state, or kind of task */
export const dataLimitExceeded = (of: string): StateFailure =>
  new StateFailure(
    'States.DataLimitExceeded',
    `The state/task '${of}' returned a result with a size exceeding the maximum number of bytes service limit.`,
  );

/** Returns the failure of an intrinsic function. */
export const intrinsicFailure = (reason: string): StateFailure =>
  new StateFailure('States.IntrinsicFailure', reason, undefined, true);
