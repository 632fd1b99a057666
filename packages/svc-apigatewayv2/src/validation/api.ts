import type { DeepReadonly } from '@emu/core/service';
import type { Cors, ProtocolType } from '@emu/service-types/apigatewayv2';
import { badRequest } from '../errors.ts';
import { selectsMessages } from '../websocket/selection.ts';

/** Route selection expression of HTTP APIs. */
export const HTTP_SELECTION = '$request.method $request.path';
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how API Gateway writes it
const HTTP_SELECTIONS: ReadonlySet<string> = new Set([HTTP_SELECTION, '${request.method} ${request.path}']);
/** Default API key selection expression. */
export const KEY_SELECTION = '$request.header.x-api-key';
const KEY_SELECTIONS: ReadonlySet<string> = new Set([KEY_SELECTION, '$context.authorizer.usageIdentifierKey']);
const NAME = { least: 1, most: 128 };
const MAX_DESCRIPTION = 1024;
const VERSION = { least: 1, most: 64 };
const ORIGIN = /^(?:\*|(?:https?|chrome-extension|[a-z][a-z0-9+.-]*):\/\/(?:\*|[^*\s/]+))$/i;
const METHODS: ReadonlySet<string> = new Set(['*', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const MAX_CORS_AGE = { least: -1, most: 86_400 };

/**
 * Checks the length of a text.
 * @throws AwsError `BadRequestException`
 */
export function checkLength(
  member: string,
  text: string | undefined,
  { least, most }: { least: number; most: number },
): void {
  if (text !== undefined && (text.length < least || text.length > most))
    throw badRequest(`${member} must have ${least} to ${most} characters`);
}

/**
 * Validates the names and texts of an API.
 * @throws AwsError `BadRequestException`
 */
export function checkApiTexts(api: {
  Name?: string | undefined;
  Description?: string | undefined;
  Version?: string | undefined;
}): void {
  checkLength('Name', api.Name, NAME);
  checkLength('Description', api.Description, { least: 0, most: MAX_DESCRIPTION });
  checkLength('Version', api.Version, VERSION);
}

/**
 * Validates the route selection expression of an API.
 * @returns the expression; for HTTP APIs the only valid one by default
 * @throws AwsError `BadRequestException`
 */
export function routeSelection(protocol: ProtocolType, expression: string | undefined): string {
  if (protocol === 'HTTP') {
    if (expression !== undefined && !HTTP_SELECTIONS.has(expression))
      throw badRequest(`RouteSelectionExpression of an HTTP API must be ${HTTP_SELECTION}`);
    return expression ?? HTTP_SELECTION;
  }
  if (expression === undefined) throw badRequest('RouteSelectionExpression is a required parameter for WEBSOCKET APIs');
  if (!selectsMessages(expression)) throw badRequest(`Invalid RouteSelectionExpression specified: ${expression}`);
  return expression;
}

/**
 * Validates the API key selection expression.
 * @throws AwsError `BadRequestException`
 */
export function checkKeySelection(expression: string | undefined): void {
  if (expression !== undefined && !KEY_SELECTIONS.has(expression))
    throw badRequest(`Invalid ApiKeySelectionExpression specified: ${expression}`);
}

/**
 * Validates the CORS configuration of an API.
 * @throws AwsError `BadRequestException`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
 */
export function checkCors(protocol: ProtocolType, cors: DeepReadonly<Cors> | undefined): void {
  if (!cors) return;
  if (protocol !== 'HTTP') throw badRequest('CorsConfiguration is supported only for HTTP APIs');
  const { AllowOrigins = [], AllowMethods = [], AllowCredentials, MaxAge } = cors;
  for (const origin of AllowOrigins) if (!ORIGIN.test(origin)) throw badRequest(`Invalid format for origin ${origin}`);
  for (const method of AllowMethods)
    if (!METHODS.has(method)) throw badRequest(`Invalid CORS method specified: ${method}`);
  if (AllowCredentials && AllowOrigins.includes('*'))
    throw badRequest('AllowCredentials cannot be true when AllowOrigins contains *');
  if (MaxAge !== undefined && (MaxAge < MAX_CORS_AGE.least || MaxAge > MAX_CORS_AGE.most))
    throw badRequest(`MaxAge must be between ${MAX_CORS_AGE.least} and ${MAX_CORS_AGE.most}`);
}
