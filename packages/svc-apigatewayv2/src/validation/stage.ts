import { parseArn } from '@emu/core/service';
import type { CreateStageRequest, ProtocolType, RouteSettings } from '@emu/service-types/apigatewayv2';
import { badRequest } from '../errors.ts';
import { DEFAULT_ROUTE } from '../runtime/route-key.ts';

/** Settings of a stage in a request. */
export type StageSettings = Partial<Omit<CreateStageRequest, 'ApiId' | 'StageName'>>;

const NAME = /^[\w-]{1,128}$/;
const VARIABLE = /^\w{1,64}$/;
const VALUE = /^[\w\-.~:/?#&=,]{1,512}$/;
const MAX_VARIABLES = 100;

/**
 * Validates a stage name.
 * @throws AwsError `BadRequestException`
 */
export function checkStageName(protocol: ProtocolType, name: string): void {
  if (name === DEFAULT_ROUTE && protocol === 'HTTP') return;
  if (!NAME.test(name)) throw badRequest('Stage name only allows a-zA-Z0-9_-');
}

/**
 * Validates the settings of a stage.
 * @throws AwsError `BadRequestException`
 */
export function checkStage(protocol: ProtocolType, settings: StageSettings): void {
  const { StageVariables = {}, AccessLogSettings, DefaultRouteSettings, RouteSettings: routes = {} } = settings;
  if (settings.ClientCertificateId !== undefined) {
    if (protocol === 'HTTP') throw badRequest('ClientCertificateId is supported only for WebSocket APIs');
  }
  if (Object.keys(StageVariables).length > MAX_VARIABLES)
    throw badRequest(`A stage can have at most ${MAX_VARIABLES} stage variables`);
  for (const [name, value] of Object.entries(StageVariables)) {
    if (!VARIABLE.test(name)) throw badRequest(`Stage variable name ${name} is invalid`);
    if (value !== '' && !VALUE.test(value))
      throw badRequest(
        `Stage variable value ${value} is invalid. Please use values with the following characters: A-Za-z0-9-._~:/?#&=,`,
      );
  }
  checkAccessLog(AccessLogSettings);
  for (const one of [DefaultRouteSettings ?? {}, ...Object.values(routes)]) checkRouteSettings(protocol, one);
}

function checkRouteSettings(protocol: ProtocolType, settings: RouteSettings): void {
  const { DataTraceEnabled, LoggingLevel, ThrottlingBurstLimit: burst = 0, ThrottlingRateLimit: rate = 0 } = settings;
  if (protocol === 'HTTP' && (DataTraceEnabled || (LoggingLevel !== undefined && LoggingLevel !== 'OFF')))
    throw badRequest('Execution logs are not supported on protocolType HTTP');
  if (burst < 0 || rate < 0) throw badRequest('Throttling limits cannot be negative');
}

/** Validates the destination and format of a stage's access log. */
function checkAccessLog(settings: StageSettings['AccessLogSettings']): void {
  if (!settings) return;
  const { DestinationArn, Format } = settings;
  const arn = DestinationArn === undefined ? undefined : parseArn(DestinationArn);
  const isLogGroup = arn?.service === 'logs' && arn.resource.startsWith('log-group:');
  const isStream = arn?.service === 'firehose' && arn.resource.startsWith('deliverystream/amazon-apigateway-');
  if (!isLogGroup && !isStream)
    throw badRequest(
      'Invalid ARN specified in the request. ARN should be in the format of arn:aws:logs:<region>:<account>:log-group:<name> or of a Firehose stream whose name begins with amazon-apigateway-',
    );
  if (Format === undefined || Format === '') throw badRequest('Format is required for access log settings');
  if (/[\r\n]/.test(Format)) throw badRequest('Access Log format must be a single line');
  if (!/\$context\.(?:extendedRequestId|requestId)\b/.test(Format))
    throw badRequest('Access Log format must include $context.requestId or $context.extendedRequestId');
}
