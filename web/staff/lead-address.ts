/** Where all that is known about a lead stands. */
export const leadAddress = (id: string) => `/admin-lead?id=${encodeURIComponent(id)}`
