import { Formats } from '../operator/Formats';
import { RooflineChart } from '../roofline/RooflineChart';

/** The formats of the open operator: a row and a point on the roofline each. */
export function FormatsOnRoofline() {
  return (
    <>
      <Formats />
      <RooflineChart />
    </>
  );
}
