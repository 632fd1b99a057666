import { accessLogLine, ExecutionLog, logStreamOf, writeAccessLine, writeExecutionLog } from '@emu/apigateway-common';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import type { Apigatewayv2State } from '../state.ts';
import type { SocketEvent } from './events.ts';

/** What the integration of an event took and came to. */
interface IntegrationNotes {
  /** Milliseconds. */
  latency?: number;
  status?: number;
  /** Status of the service that was asked, whatever the function behind it answered. */
  integrationStatus?: number;
  requestId?: string | undefined;
  error?: string;
}

/** What came of a step before the integration. */
interface PartNotes {
  error?: string;
  /** Milliseconds. */
  latency?: number;
  status?: number;
}

/** What becomes of an event of a connection, as its logs tell it. */
export class SocketExecution {
  readonly log: ExecutionLog;
  readonly integration: IntegrationNotes = {};
  /** Of the function that authorizes, whose service answers with a status of its own. */
  readonly authorizer: PartNotes & {
    integrationLatency?: number;
    integrationStatus?: number;
    requestId?: string;
  } = {};
  /** Of the signature, and of the policies of who has signed. */
  readonly authenticate: PartNotes = {};
  readonly authorize: PartNotes = {};
  status: number | undefined;
  error: { readonly message: string; readonly responseType: string; readonly validation?: string } | undefined;
  private readonly startedAt: number;

  /** @param event the event as it is known at first; more becomes known when a connection is authorized */
  constructor(
    private readonly state: Apigatewayv2State,
    private readonly stage: CompiledStage,
    public event: SocketEvent,
    private readonly cause: string,
  ) {
    this.startedAt = state.clock.now();
    const level = stage.settingsOf(event.routeKey).LoggingLevel ?? 'OFF';
    this.log = new ExecutionLog(level !== 'OFF', () => state.clock.now());
    const { requestId, routeKey, type, context, body } = event;
    const { apiId, connectionId, identity } = context as Record<string, string> & { identity: Record<string, string> };
    this.log.add(() => `Extended Request Id: ${requestId}`);
    this.log.add(() => `Starting execution for request: ${requestId}`);
    this.log.add(() => `WebSocket Request Route: [${routeKey}]`);
    if (type === 'CONNECT')
      this.log.add(
        () =>
          `Client [UserAgent: ${identity?.userAgent ?? 'null'}, SourceIp: ${identity?.sourceIp}] is connecting to WebSocket API [${apiId}].`,
      );
    if (type === 'MESSAGE')
      this.log.data(
        () =>
          `WebSocket API [${apiId}] received message from client [Connection Id: ${connectionId}]. Message: [${body}]`,
      );
    if (type === 'DISCONNECT')
      this.log.add(() => `Client [Connection Id: ${connectionId}] disconnected from API [${apiId}].`);
  }

  /** Notes that API Gateway itself answers. @param log for the execution log */
  fail(status: number, message: string, responseType: string, log?: string, validation?: string): void {
    this.status = status;
    this.error = { message, responseType, ...(validation !== undefined && { validation }) };
    this.log.add(() => `Execution failed due to ${log ?? message}`, true);
  }

  /** Writes the logs that the stage's settings ask for; nobody waits for them, and what goes wrong is logged. */
  end(): void {
    const { state, stage, event, log } = this;
    if (!this.error) this.log.add(() => 'Successfully completed execution');
    const { AccessLogSettings } = stage.stage;
    const { LoggingLevel: level, DataTraceEnabled: traced } = stage.settingsOf(event.routeKey);
    const { ApiId } = stage.api;
    const written: Promise<void>[] = [];
    if (AccessLogSettings?.DestinationArn !== undefined && AccessLogSettings.Format !== undefined)
      written.push(
        writeAccessLine(state.scope, {
          destination: AccessLogSettings.DestinationArn,
          stream: logStreamOf(ApiId, stage.name),
          line: accessLogLine(AccessLogSettings.Format, this.loggedContext()),
          at: this.startedAt,
          cause: this.cause,
        }),
      );
    if (log.on) {
      const group = `/aws/apigateway/${ApiId}/${stage.name}`;
      const place = {
        accountId: state.accountId,
        region: state.region,
        group,
        stream: logStreamOf(ApiId, stage.name),
      };
      written.push(writeExecutionLog(state.scope, place, event.requestId, log.written(level, traced)));
    }
    for (const one of written)
      one.catch((error) => state.service.log.warn('a log of a WebSocket API could not be written', { ApiId, error }));
  }

  /** `$context` as access logs have it. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-logging.html */
  private loggedContext(): Record<string, unknown> {
    const { event, integration, authorizer, authenticate, authorize, error, status, startedAt, state } = this;
    const { authorizer: known } = event.context as { authorizer?: object };
    return {
      ...event.context,
      accountId: state.accountId,
      authenticate,
      authorize,
      authorizer: { ...known, ...authorizer },
      ...(error && {
        error: {
          message: error.message,
          messageString: JSON.stringify(error.message),
          responseType: error.responseType,
          validationErrorString: error.validation,
        },
      }),
      integration,
      integrationErrorMessage: integration.error,
      integrationLatency: integration.latency,
      integrationStatus: integration.integrationStatus,
      awsEndpointRequestId: integration.requestId,
      responseLatency: state.clock.now() - startedAt,
      status,
    };
  }
}
