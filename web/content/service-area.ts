export const SERVICE_AREA = 'All of South Africa'
