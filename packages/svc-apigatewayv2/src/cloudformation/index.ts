import type { AnyResourceProvider } from '@emu/core/service';
import { api } from './api.ts';
import { domainName, routingRule } from './domain-name.ts';
import { portalProduct, vpcLink } from './links.ts';
import { managedOverrides } from './managed-overrides.ts';
import {
  apiMapping,
  apiModel,
  authorizer,
  deployment,
  integration,
  integrationResponse,
  route,
  routeResponse,
} from './parts.ts';
import { stage } from './stage.ts';

/** Providers of API Gateway's resource types of HTTP and WebSocket APIs. */
export const providers: readonly AnyResourceProvider[] = [
  api,
  apiMapping,
  apiModel,
  authorizer,
  deployment,
  domainName,
  integration,
  integrationResponse,
  managedOverrides,
  portalProduct,
  route,
  routeResponse,
  routingRule,
  stage,
  vpcLink,
];
