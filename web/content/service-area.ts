/** The area in which the agency works. */
export const SERVICE_AREA = 'All of South Africa'
