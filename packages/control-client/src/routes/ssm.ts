import type { Located, Timestamp } from './common.ts';

/** Statuses of a command's invocation. */
export type SsmInvocationStatus =
  | 'Pending'
  | 'InProgress'
  | 'Delayed'
  | 'Success'
  | 'Cancelled'
  | 'TimedOut'
  | 'Failed'
  | 'Cancelling';

/** Changes the status of a command's invocations. */
export interface SsmCommandStatusChange {
  status: SsmInvocationStatus;
  /** Only the invocation on this instance. */
  instanceId?: string;
  statusDetails?: string;
  responseCode?: number;
  standardOutputContent?: string;
  standardErrorContent?: string;
}

/** A command after a change. */
export interface SsmCommandRecord {
  commandId: string;
  status: string;
  invocations: { instanceId: string; status: SsmInvocationStatus; statusDetails: string; responseCode: number }[];
}

/** An event of a parameter's policy. */
export interface SsmParameterPolicyEvent extends Located {
  parameterName: string;
  parameterArn: string;
  policyType: 'Expiration' | 'ExpirationNotification' | 'NoChangeNotification';
  message: string;
  timestamp: Timestamp;
}

/** A session as if it had been started. */
export interface SsmInjectSessionRequest {
  /** Made up by default. */
  sessionId?: string;
  /** Id of the managed instance. */
  target: string;
  /** `Connected` by default. */
  status?: 'Connected' | 'Connecting' | 'Disconnected' | 'Terminated' | 'Terminating' | 'Failed';
  /** ARN of who started it; the account's root by default. */
  owner?: string;
  documentName?: string;
  reason?: string;
  /** The current time by default. */
  startDate?: Timestamp;
  endDate?: Timestamp;
  /** By default the server's. */
  accountId?: string;
  /** By default the server's. */
  region?: string;
}

/** A session. */
export interface SsmSession extends Located {
  sessionId: string;
  target: string;
  status: string;
  owner: string;
  documentName?: string;
  reason?: string;
  startDate: Timestamp;
  endDate?: Timestamp;
}

/** Control routes of Systems Manager. */
export interface SsmRoutes {
  'POST /_emulator/ssm/commands/{command_id}/status': { body: SsmCommandStatusChange; response: SsmCommandRecord };
  'POST /_emulator/ssm/commands/{command_id}/fail': { response: SsmCommandRecord };
  'GET /_emulator/ssm/parameter-policy-events': { response: { events: SsmParameterPolicyEvent[] } };
  'DELETE /_emulator/ssm/parameter-policy-events': { response: { clearedEvents: number } };
  'POST /_emulator/ssm/sessions/inject': { body: SsmInjectSessionRequest; response: SsmSession };
}
