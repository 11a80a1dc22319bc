/** In a page that is a report, what its data follows; in any other, an empty element. */
export const REPORT_ROOM = '<script type="application/json" id="report">';
