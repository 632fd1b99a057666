import { lowerId } from '@emu/core/descriptors';
import type { Deployment } from '@emu/service-types/apigatewayv2';
import { descriptor } from '../descriptor.ts';
import { notFound } from '../errors.ts';
import { wholeSeconds } from '../members.ts';
import { apis } from './apis.ts';

/** Deployments. @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-deployments-deploymentid.html */
export const deployments = descriptor({
  name: 'Deployment',
  records: 'deployments',
  owner: apis,
  key: 'DeploymentId',
  id: lowerId(6),
  missing: () => notFound('Invalid deployment identifier specified'),
  show: ({ createdAt, configuration: _, ...deployment }): Deployment => ({
    ...deployment,
    CreatedDate: wholeSeconds(createdAt),
  }),
});
