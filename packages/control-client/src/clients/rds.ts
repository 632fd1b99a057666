import type {
  RdsInstance,
  RdsLambdaInvokeRequest,
  RdsLambdaInvokeResult,
  RdsS3ExportRequest,
  RdsS3ImportRequest,
} from '../routes/rds.ts';
import { AreaControl } from './area.ts';

/** Control routes of RDS. */
export class RdsControl extends AreaControl {
  /** Lists database instances with their backends. `GET /_emulator/rds/instances` */
  instances(): Promise<{ instances: RdsInstance[] }> {
    return this.transport.json('GET /_emulator/rds/instances');
  }

  /**
   * Invokes a function as the database's extension does. `POST /_emulator/rds/lambda-invoke`
   * @throws ApiError 404 for an unknown instance or function
   */
  lambdaInvoke(request: RdsLambdaInvokeRequest): Promise<RdsLambdaInvokeResult> {
    return this.transport.json('POST /_emulator/rds/lambda-invoke', { body: request });
  }

  /**
   * Fills a table of a PostgreSQL or MySQL database from an object. `POST /_emulator/rds/s3-import`
   * @throws ApiError 404 for an unknown instance or object
   */
  s3Import(request: RdsS3ImportRequest): Promise<{ rowsImported: number; bytes: number }> {
    return this.transport.json('POST /_emulator/rds/s3-import', { body: request });
  }

  /**
   * Writes the rows of a query from a PostgreSQL or MySQL database to an object. `POST /_emulator/rds/s3-export`
   * @throws ApiError 404 for an unknown instance or bucket
   */
  s3Export(
    request: RdsS3ExportRequest,
  ): Promise<{ rowsUploaded: number; filesUploaded: number; bytesUploaded: number }> {
    return this.transport.json('POST /_emulator/rds/s3-export', { body: request });
  }
}
