/** Where the agency works. */
export const SERVICE_AREA = 'All of South Africa'
