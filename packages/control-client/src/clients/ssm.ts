import type {
  SsmCommandRecord,
  SsmCommandStatusChange,
  SsmInjectSessionRequest,
  SsmParameterPolicyEvent,
  SsmSession,
} from '../routes/ssm.ts';
import { AreaControl } from './area.ts';

/** Control routes of Systems Manager. */
export class SsmControl extends AreaControl {
  /**
   * Changes the status of a command's invocations. `POST /_emulator/ssm/commands/{command_id}/status`
   * @returns the updated command
   * @throws ApiError 404 for an unknown command
   */
  setCommandStatus(commandId: string, change: SsmCommandStatusChange): Promise<SsmCommandRecord> {
    return this.transport.json('POST /_emulator/ssm/commands/{command_id}/status', {
      params: { command_id: commandId },
      body: change,
    });
  }

  /**
   * Makes all invocations of a command fail. `POST /_emulator/ssm/commands/{command_id}/fail`
   * @returns the updated command
   * @throws ApiError 404 for an unknown command
   */
  failCommand(commandId: string): Promise<SsmCommandRecord> {
    return this.transport.json('POST /_emulator/ssm/commands/{command_id}/fail', {
      params: { command_id: commandId },
    });
  }

  /** Lists events of parameter policies, oldest first. `GET /_emulator/ssm/parameter-policy-events` */
  parameterPolicyEvents(): Promise<{ events: SsmParameterPolicyEvent[] }> {
    return this.transport.json('GET /_emulator/ssm/parameter-policy-events');
  }

  /**
   * Deletes these events. `DELETE /_emulator/ssm/parameter-policy-events`
   * @returns the number of deleted events
   */
  clearParameterPolicyEvents(): Promise<{ clearedEvents: number }> {
    return this.transport.json('DELETE /_emulator/ssm/parameter-policy-events');
  }

  /** Adds a session as if it had been started. `POST /_emulator/ssm/sessions/inject` */
  injectSession(session: SsmInjectSessionRequest): Promise<SsmSession> {
    return this.transport.json('POST /_emulator/ssm/sessions/inject', { body: session });
  }
}
