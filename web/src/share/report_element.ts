/** The element that holds a report's data, which follows this tag; in any other page it is empty. */
export const REPORT_ELEMENT = '<script type="application/json" id="report">';
