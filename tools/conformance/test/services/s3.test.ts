import { s3 } from '../../src/scenarios/s3.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(s3);
