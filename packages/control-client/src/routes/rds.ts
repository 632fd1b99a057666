import type {
  RdsInstance,
  RdsLambdaInvokeRequest,
  RdsLambdaInvokeResult,
  RdsS3ExportRequest,
  RdsS3ImportRequest,
} from '../records/rds.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of RDS. */
export const rds = {
  /** Lists database instances with their backends. `GET /_emulator/rds/instances` */
  instances: json<{ instances: RdsInstance[] }>()('GET /_emulator/rds/instances'),

  /**
   * Invokes a function as the database's extension does. `POST /_emulator/rds/lambda-invoke`
   * @throws ApiError 404 for an unknown instance or function
   */
  lambdaInvoke: json<RdsLambdaInvokeResult>()(
    'POST /_emulator/rds/lambda-invoke',
    (request: RdsLambdaInvokeRequest) => ({ body: request }),
  ),

  /**
   * Fills a table of a PostgreSQL or MySQL database from an object. `POST /_emulator/rds/s3-import`
   * @throws ApiError 404 for an unknown instance or object
   */
  s3Import: json<{ rowsImported: number; bytes: number }>()(
    'POST /_emulator/rds/s3-import',
    (request: RdsS3ImportRequest) => ({ body: request }),
  ),

  /**
   * Writes the rows of a query from a PostgreSQL or MySQL database to an object. `POST /_emulator/rds/s3-export`
   * @throws ApiError 404 for an unknown instance or bucket
   */
  s3Export: json<{ rowsUploaded: number; filesUploaded: number; bytesUploaded: number }>()(
    'POST /_emulator/rds/s3-export',
    (request: RdsS3ExportRequest) => ({ body: request }),
  ),
};

/** Methods for the control routes of RDS. */
export interface RdsControl extends MethodsOf<typeof rds> {}

/** Control routes of RDS by name. */
export type RdsRoutes = RoutesOf<typeof rds>;
