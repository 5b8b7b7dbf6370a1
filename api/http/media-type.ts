import type { Context } from 'hono'

/** The media types of forms that pages without script post. */
export const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** The body's media type, without parameters; empty if the request names none. */
export const mediaType = (c: Context) => c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''

/** Whether the body is a form that a page without script has posted. */
export const isFormPost = (c: Context) => FORM_TYPES.includes(mediaType(c))
