import type { InputOf, OutputOf } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { badRequest } from '../errors.ts';
import { apis } from '../resources/apis.ts';
import { deployments } from '../resources/deployments.ts';
import { stages } from '../resources/stages.ts';

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-deployments.html#CreateDeployment */
export function CreateDeployment(
  input: InputOf<'CreateDeployment'>,
  ctx: Apigatewayv2Context,
): OutputOf<'CreateDeployment'> {
  const { ApiId } = apis.find(input, ctx);
  const { StageName, Description } = input;
  const { state } = ctx;
  if (state.routes.count(ApiId) === 0) throw badRequest('Unable to deploy API because no routes exist in this API');
  if (StageName !== undefined && stages.find({ ApiId, StageName }, ctx).AutoDeploy)
    throw badRequest('Deployment ID cannot be updated on a stage with AutoDeploy enabled');
  const deployment = state.deploy(ApiId, Description, false);
  if (StageName !== undefined) state.point(ApiId, StageName, deployment.DeploymentId);
  return deployments.describe(deployment, ctx, input);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-deployments-deploymentid.html#GetDeployment */
export const GetDeployment = deployments.getHandler('GetDeployment', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-deployments.html#GetDeployments */
export const GetDeployments = deployments.listHandler('GetDeployments', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-deployments-deploymentid.html#UpdateDeployment */
export const UpdateDeployment = deployments.updateHandler('UpdateDeployment', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-deployments-deploymentid.html#DeleteDeployment */
export const DeleteDeployment = deployments.deleteHandler('DeleteDeployment', {});
