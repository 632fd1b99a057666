import type { AnyResourceProvider } from '@emu/core/service';
import { account } from './account.ts';
import {
  apiModel,
  authorizer,
  documentationPart,
  documentationVersion,
  gatewayResponse,
  requestValidator,
} from './api-parts.ts';
import { deployment } from './deployment.ts';
import {
  accessAssociation,
  basePathMapping,
  domainName,
  privateBasePathMapping,
  privateDomainName,
} from './domain-name.ts';
import { method } from './method.ts';
import { resource } from './resource.ts';
import { restApi } from './rest-api.ts';
import { stage } from './stage.ts';
import { apiKey, clientCertificate, usagePlan, usagePlanKey, vpcLink } from './usage-plan.ts';

/** Providers of API Gateway's resource types of REST APIs. */
export const providers: readonly AnyResourceProvider[] = [
  accessAssociation,
  account,
  apiKey,
  apiModel,
  authorizer,
  basePathMapping,
  clientCertificate,
  deployment,
  documentationPart,
  documentationVersion,
  domainName,
  gatewayResponse,
  method,
  privateBasePathMapping,
  privateDomainName,
  requestValidator,
  resource,
  restApi,
  stage,
  usagePlan,
  usagePlanKey,
  vpcLink,
];
