import { restApis } from '@emu/core/service';
import type { Stage } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { descriptor } from '../descriptor.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { wholeSeconds } from '../members.ts';
import { apis } from './apis.ts';
import { deployments } from './deployments.ts';

/** Stages. @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages-stagename.html */
export const stages = descriptor({
  name: 'Stage',
  records: 'stages',
  owner: apis,
  key: 'StageName',
  missing: () => notFound('Invalid stage identifier specified'),
  tagged: true,
  emptiable: ['AccessLogSettings', 'ClientCertificateId'],
  rules: [
    { unique: ['StageName'], error: () => conflict('Stage already exists') },
    ({ AutoDeploy, DeploymentId }, { before }) => {
      if (!before && AutoDeploy && DeploymentId !== undefined)
        throw badRequest('DeploymentId cannot be given for a stage with AutoDeploy enabled');
    },
    {
      reference: 'DeploymentId',
      to: deployments,
      onDelete: { refuse: () => badRequest('Active stages pointing to this deployment must be moved or deleted') },
    },
  ],
  show: ({ createdAt, updatedAt, ...stage }): Stage =>
    ({ ...stage, CreatedDate: wholeSeconds(createdAt), LastUpdatedDate: wholeSeconds(updatedAt) }) as Stage,
  changed: (_stage, { at, ctx }) => ctx.state.runtime.evict(at.ApiId),
});

/**
 * Checks that the stage for a domain name exists, in any kind of API.
 * @throws AwsError `NotFoundException`
 */
export async function checkStageExists(
  input: { ApiId: string; StageName: string },
  ctx: Apigatewayv2Context,
): Promise<void> {
  const { accountId, region } = ctx;
  const stage = { accountId, region, apiId: input.ApiId, stage: input.StageName };
  if (!ctx.state.apis.has(input.ApiId) && (await ctx.capability(restApis))?.hasStage(stage)) return;
  stages.find(input, ctx);
}
