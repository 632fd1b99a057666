import type { DeepReadonly } from '@emu/core';
import type { Deployment, InputOf, OutputOf } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { apiOf, deploymentOf, stageOf } from '../lookup.ts';
import { timeOf } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import type { DeploymentRecord } from '../records.ts';

const describe = ({ createdAt, configuration: _, ...deployment }: DeepReadonly<DeploymentRecord>): Deployment => ({
  ...deployment,
  CreatedDate: timeOf(createdAt),
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-deployments.html#CreateDeployment */
export function CreateDeployment(
  input: InputOf<'CreateDeployment'>,
  ctx: Apigatewayv2Context,
): OutputOf<'CreateDeployment'> {
  const { ApiId } = apiOf(input, ctx);
  const { state } = ctx;
  if (state.routes.count(ApiId) === 0) throw invalid('Unable to deploy API because no routes exist in this API');
  if (input.StageName !== undefined && stageOf({ ApiId, StageName: input.StageName }, ctx).AutoDeploy)
    throw invalid('Deployment ID cannot be updated on a stage with AutoDeploy enabled');
  const deployment = state.deploy(ApiId, input.Description, false);
  if (input.StageName !== undefined) state.point(ApiId, input.StageName, deployment.DeploymentId);
  return describe(deployment);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-deployments-deploymentid.html#GetDeployment */
export function GetDeployment(input: InputOf<'GetDeployment'>, ctx: Apigatewayv2Context): OutputOf<'GetDeployment'> {
  return describe(deploymentOf(input, ctx));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-deployments.html#GetDeployments */
export function GetDeployments(input: InputOf<'GetDeployments'>, ctx: Apigatewayv2Context): OutputOf<'GetDeployments'> {
  const { ApiId } = apiOf(input, ctx);
  return paging
    .page('GetDeployments', withLimit(input), ctx.state.deployments.list(ApiId), ({ DeploymentId }) => DeploymentId)
    .list(describe);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-deployments-deploymentid.html#UpdateDeployment */
export function UpdateDeployment(
  input: InputOf<'UpdateDeployment'>,
  ctx: Apigatewayv2Context,
): OutputOf<'UpdateDeployment'> {
  const deployment = deploymentOf(input, ctx);
  const { Description } = input;
  if (Description === undefined) return describe(deployment);
  return describe(
    ctx.state.deployments.update(input.ApiId, deployment.DeploymentId, (draft) => {
      draft.Description = Description;
    }),
  );
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-deployments-deploymentid.html#DeleteDeployment */
export function DeleteDeployment(
  input: InputOf<'DeleteDeployment'>,
  ctx: Apigatewayv2Context,
): OutputOf<'DeleteDeployment'> {
  const { DeploymentId } = deploymentOf(input, ctx);
  if (ctx.state.stages.list(input.ApiId).some((stage) => stage.DeploymentId === DeploymentId))
    throw invalid('Active stages pointing to this deployment must be moved or deleted');
  ctx.state.deployments.delete(input.ApiId, DeploymentId);
  return {};
}
