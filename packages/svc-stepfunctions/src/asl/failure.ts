/** A failure inside an execution: an error name that Retry and Catch look at, and why. */
export class StateFailure extends Error {
  override readonly name = 'StateFailure';
  constructor(
    readonly error: string | undefined,
    readonly reason: string | undefined,
    /** Field of a JSONata state that could not be evaluated. */
    readonly location?: string,
    /** Whether the state's name belongs in front of the reason, as it does where AWS itself could not go on. */
    readonly ofState = false,
  ) {
    super(reason ?? error ?? '');
  }
}

/** A heartbeat that did not come: a timeout by name, which rules may name `States.HeartbeatTimeout` too. */
export class HeartbeatFailure extends StateFailure {
  constructor() {
    super('States.Timeout', undefined);
  }
}

/** What AWS could not do with the state's data: `States.Runtime`, which no Catch takes. */
export const runtimeFailure = (reason: string): StateFailure =>
  new StateFailure('States.Runtime', reason, undefined, true);

/** An expression that could not be evaluated. */
export const queryFailure = (reason: string, location?: string): StateFailure =>
  new StateFailure('States.QueryEvaluationError', reason, location, true);

/** An intrinsic function that could not be evaluated. */
export const intrinsicFailure = (reason: string): StateFailure =>
  new StateFailure('States.IntrinsicFailure', reason, undefined, true);
