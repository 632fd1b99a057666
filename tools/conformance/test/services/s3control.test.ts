import { s3control } from '../../src/scenarios/s3control.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(s3control);
