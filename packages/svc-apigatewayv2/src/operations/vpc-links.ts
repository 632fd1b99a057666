import { vpcLinks } from '../resources/vpc-links.ts';

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/vpclinks.html#CreateVpcLink */
export const CreateVpcLink = vpcLinks.createHandler('CreateVpcLink', {
  defaults: () => ({ SecurityGroupIds: [] }),
  values: ({ ctx }) => ({ createdAt: ctx.clock.now() }),
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/vpclinks-vpclinkid.html#GetVpcLink */
export const GetVpcLink = vpcLinks.getHandler('GetVpcLink', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/vpclinks.html#GetVpcLinks */
export const GetVpcLinks = vpcLinks.listHandler('GetVpcLinks', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/vpclinks-vpclinkid.html#UpdateVpcLink */
export const UpdateVpcLink = vpcLinks.updateHandler('UpdateVpcLink', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/vpclinks-vpclinkid.html#DeleteVpcLink */
export const DeleteVpcLink = vpcLinks.deleteHandler('DeleteVpcLink', {});
