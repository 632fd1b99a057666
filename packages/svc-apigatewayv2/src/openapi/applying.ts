import type { Apigatewayv2Context } from '../context.ts';
import { badRequest, conflict } from '../errors.ts';
import type { IntegrationRecord } from '../records.ts';
import { checkRouteKey } from '../runtime/route-key.ts';
import { checkApiTexts, checkCors } from '../validation/api.ts';
import { checkAuthorizer } from '../validation/authorizer.ts';
import { checkIntegration, TIMEOUTS } from '../validation/integration.ts';
import type { Definition } from './definition.ts';

/**
 * Validates a complete definition before anything is created.
 * @throws AwsError `BadRequestException` or `ConflictException`; `NotImplemented` for unsupported settings
 */
export function checkDefinition(definition: Definition, failOnWarnings: boolean): void {
  const { name, description, version, cors, authorizers, routes, warnings } = definition;
  checkApiTexts({ Name: name, Description: description, Version: version });
  checkCors('HTTP', cors);
  for (const authorizer of authorizers) checkAuthorizer('HTTP', authorizer);
  const keys = new Set<string>();
  for (const { key, integration } of routes) {
    checkRouteKey('HTTP', key);
    if (keys.has(key)) throw conflict(`Route with key ${key} already exists for this API`);
    keys.add(key);
    if (integration) checkIntegration('HTTP', integration);
  }
  if (failOnWarnings && warnings.length > 0)
    throw badRequest(`Warnings found during import:\n\t${warnings.join('\n\t')}`);
}

/** Creates the parts of a definition in an empty API. */
export function applyDefinition(
  apiId: string,
  { authorizers, routes }: Definition,
  { state }: Apigatewayv2Context,
): void {
  const ids = new Map<string, string>();
  for (const authorizer of authorizers) {
    const AuthorizerId = state.newId().slice(0, 6);
    ids.set(authorizer.Name, AuthorizerId);
    state.authorizers.put(apiId, AuthorizerId, { ...authorizer, AuthorizerId });
  }
  for (const { key, operationName, integration, authorization } of routes) {
    const RouteId = state.newId();
    const { type, authorizer, scopes } = authorization;
    const integrationId = integration && state.newId();
    if (integration && integrationId !== undefined)
      state.integrations.put(apiId, integrationId, {
        ConnectionType: 'INTERNET',
        PayloadFormatVersion: '1.0',
        ...integration,
        IntegrationId: integrationId,
        TimeoutInMillis: integration.TimeoutInMillis ?? TIMEOUTS.HTTP.most,
      } as IntegrationRecord);
    state.routes.put(apiId, RouteId, {
      ApiKeyRequired: false,
      AuthorizationType: type,
      RouteId,
      RouteKey: key,
      ...(authorizer !== undefined && { AuthorizerId: ids.get(authorizer)! }),
      ...(scopes && { AuthorizationScopes: scopes }),
      ...(operationName !== undefined && { OperationName: operationName }),
      ...(integrationId !== undefined && { Target: `integrations/${integrationId}` }),
    });
  }
}

/** Deletes the parts of an API that definitions create. */
export function clearDefined(apiId: string, { state }: Apigatewayv2Context): void {
  state.routes.clear(apiId);
  state.integrations.clear(apiId);
  state.authorizers.clear(apiId);
}
