import type {
  SsmCommandRecord,
  SsmCommandStatusChange,
  SsmInjectSessionRequest,
  SsmParameterPolicyEvent,
  SsmSession,
} from '../records/ssm.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Systems Manager. */
export const ssm = {
  /**
   * Changes the status of a command's invocations. `POST /_emulator/ssm/commands/{command_id}/status`
   * @returns the updated command
   * @throws ApiError 404 for an unknown command
   */
  setCommandStatus: json<SsmCommandRecord>()(
    'POST /_emulator/ssm/commands/{command_id}/status',
    (commandId: string, change: SsmCommandStatusChange) => ({
      params: { command_id: commandId },
      body: change,
    }),
  ),

  /**
   * Makes all invocations of a command fail. `POST /_emulator/ssm/commands/{command_id}/fail`
   * @returns the updated command
   * @throws ApiError 404 for an unknown command
   */
  failCommand: json<SsmCommandRecord>()('POST /_emulator/ssm/commands/{command_id}/fail', (commandId: string) => ({
    params: { command_id: commandId },
  })),

  /** Lists events of parameter policies, oldest first. `GET /_emulator/ssm/parameter-policy-events` */
  parameterPolicyEvents: json<{ events: SsmParameterPolicyEvent[] }>()('GET /_emulator/ssm/parameter-policy-events'),

  /**
   * Deletes these events. `DELETE /_emulator/ssm/parameter-policy-events`
   * @returns the number of deleted events
   */
  clearParameterPolicyEvents: json<{ clearedEvents: number }>()('DELETE /_emulator/ssm/parameter-policy-events'),

  /** Adds a session as if it had been started. `POST /_emulator/ssm/sessions/inject` */
  injectSession: json<SsmSession>()('POST /_emulator/ssm/sessions/inject', (session: SsmInjectSessionRequest) => ({
    body: session,
  })),
};

/** Methods for the control routes of Systems Manager. */
export interface SsmControl extends MethodsOf<typeof ssm> {}

/** Control routes of Systems Manager by name. */
export type SsmRoutes = RoutesOf<typeof ssm>;
