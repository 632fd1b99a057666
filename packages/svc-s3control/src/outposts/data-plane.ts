import type { DataPlaneRequest, DataPlaneResponse } from '@emu/core/service';
import { compileService, type ServiceModel } from '@emu/wire';
import model from '../../model/s3control.json' with { type: 'json' };
import { s3controlError } from '../errors.ts';

/**
 * Rejects requests for objects on Outposts, which require access points that emu does not have.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/s3-outposts/S3OutpostsWorkingAccessPoints.html
 */
export async function serve({ requestId }: DataPlaneRequest): Promise<DataPlaneResponse> {
  const [protocol] = compileService(model as unknown as ServiceModel).protocols;
  const error = s3controlError('NotImplemented', 'Objects on Outposts are not implemented by emu.', { status: 501 });
  return protocol!.encodeError(error, requestId);
}
