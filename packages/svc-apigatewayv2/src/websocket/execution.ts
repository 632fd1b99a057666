import { accessLogLine, ExecutionLog, logStreamOf, writeAccessLine, writeExecutionLog } from '@emu/apigateway-common';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import type { Apigatewayv2State } from '../state.ts';
import type { SocketEvent } from './events.ts';

/** Duration and outcome of an event's integration. */
interface IntegrationNotes {
  /** Milliseconds. */
  latency?: number;
  status?: number;
  /** Status of the called service, independent of the function behind it. */
  integrationStatus?: number;
  requestId?: string | undefined;
  error?: string;
}

/** Outcome of a step before the integration. */
interface PartNotes {
  error?: string;
  /** Milliseconds. */
  latency?: number;
  status?: number;
}

/** Processing of a connection event, for its logs. */
export class SocketExecution {
  readonly log: ExecutionLog;
  readonly integration: IntegrationNotes = {};
  /** Step of the Lambda authorizer, with its service status. */
  readonly authorizer: PartNotes & {
    integrationLatency?: number;
    integrationStatus?: number;
    requestId?: string;
  } = {};
  /** Step of the signature and the signer's policies. */
  readonly authenticate: PartNotes = {};
  readonly authorize: PartNotes = {};
  status: number | undefined;
  error: { readonly message: string; readonly responseType: string; readonly validation?: string } | undefined;
  private readonly startedAt: number;

  /** @param event initial event; authorization adds to it */
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

  /**
   * Records an error of API Gateway itself.
   * @param log for the execution log
   */
  fail(status: number, message: string, responseType: string, log?: string, validation?: string): void {
    this.status = status;
    this.error = { message, responseType, ...(validation !== undefined && { validation }) };
    this.log.add(() => `Execution failed due to ${log ?? message}`, true);
  }

  /** Writes the configured logs in the background; failures are logged. */
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

  /**
   * Returns `$context` for access logs.
   * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-logging.html
   */
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
