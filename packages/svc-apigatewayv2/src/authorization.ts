import { credentialsRole, documentRoles } from '@emu/apigateway-common';
import {
  type AuthorizationRequest,
  type PassedRole,
  type PassedRoles,
  type ServiceAuthorization,
  tagCondition,
} from '@emu/core/service';
import type { Apigatewayv2Operations } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2InternalOperations } from '@emu/service-types/internal/apigatewayv2';
import model from '../model/apigatewayv2.json' with { type: 'json' };
import type { Apigatewayv2Context } from './context.ts';
import { readDocument } from './openapi/document.ts';
import { accountPathArn, pathArn, resources } from './resources.ts';
import type { Apigatewayv2State } from './state.ts';

/** Credentials may also select the caller's identity. */
const CREDENTIALS: PassedRole<Apigatewayv2State> = { service: 'apigateway', role: credentialsRole };
const INTEGRATION: PassedRoles<Apigatewayv2State> = { CredentialsArn: CREDENTIALS };
const AUTHORIZER: PassedRoles<Apigatewayv2State> = { AuthorizerCredentialsArn: CREDENTIALS };
const DOCUMENT: PassedRoles<Apigatewayv2State> = {
  Body: { service: 'apigateway', role: (text, ctx) => documentRoles(readDocument(text, ctx)) },
};

interface HttpOperation {
  readonly method: string;
  readonly uri: string;
}

const OPERATIONS = model.operations as unknown as Readonly<Record<string, { http: HttpOperation }>>;

/** Returns the path of an operation without its version, filled in from the input. */
function pathOf(operation: string, input: Readonly<Record<string, unknown>>): string {
  const { uri } = OPERATIONS[operation]!.http;
  const members = new Map(Object.entries(input).map(([name, value]) => [name.toLowerCase(), value]));
  return uri.replace(/^\/v2/, '').replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = members.get(name.replaceAll('-', '').toLowerCase());
    return typeof value === 'string' ? value : '*';
  });
}

/** Paths of portals and routing rules, whose ARNs have the account and whose actions are named after operations. */
const OF_ACCOUNT = /^\/(?:portals|portalproducts)(?:\/|$)|\/routingrules(?:\/|$)/;
/** Ends of paths that name a collection. */
const COLLECTION = /\/(?:portals|portalproducts|productpages|productrestendpointpages|routingrules)$/;
/** Actions with a name other than their operation's. */
const ACTIONS: Readonly<Record<string, string>> = { PutRoutingRule: 'UpdateRoutingRule' };

/** Returns the action and the resource of an operation: its HTTP method on its path, or its own action. */
function actionOf(operation: string, input: Readonly<Record<string, unknown>>, ctx: Apigatewayv2Context) {
  const path = pathOf(operation, input);
  if (!OF_ACCOUNT.test(path))
    return { action: `apigateway:${OPERATIONS[operation]!.http.method}`, resource: pathArn(path, ctx) };
  const resource = COLLECTION.test(path) ? `${path}/*` : path.replace(/\/(?:preview|publish|sharingpolicy)$/, '');
  return { action: `apigateway:${ACTIONS[operation] ?? operation}`, resource: accountPathArn(resource, ctx) };
}

/** Returns the permission of an operation. */
function onPath(operation: string, input: object, ctx: Apigatewayv2Context): AuthorizationRequest {
  const members = input as Readonly<Record<string, unknown>>;
  const named = resources
    .map((type) => ({ type, address: type.identify(members, ctx, operation) }))
    .find(({ address }) => address);
  const state = ctx.state as never;
  return {
    ...actionOf(operation, members, ctx),
    condition: (key) =>
      tagCondition(key, {
        resource: named?.address ? named.type.tags(state, named.address.key as never) : undefined,
      }),
  };
}

/**
 * Permissions of the operations of HTTP and WebSocket APIs: on paths, as for REST APIs. Portals and routing rules have
 * actions of their own.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonapigatewaymanagementv2.html
 */
export const authorization: ServiceAuthorization<
  Apigatewayv2Operations & Apigatewayv2InternalOperations,
  Apigatewayv2State
> = {
  roles: {
    CreateApi: INTEGRATION,
    CreateAuthorizer: AUTHORIZER,
    CreateIntegration: INTEGRATION,
    ImportApi: DOCUMENT,
    ReimportApi: DOCUMENT,
    UpdateApi: INTEGRATION,
    UpdateAuthorizer: AUTHORIZER,
    UpdateIntegration: INTEGRATION,
  },
  operations: { InvokeRoute: ({ resource }) => ({ action: 'execute-api:Invoke', resource }) },
  otherwise: (operation, input, ctx) => onPath(operation, input as object, ctx),
};
