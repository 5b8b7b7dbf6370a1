import type { HttpError } from '../../client/http.ts'

/** The server's errors by field, if they are why a form was refused. */
export const fieldProblemsOf = (error: unknown) => {
  const { status, problem } = error as Partial<HttpError>
  return (status === 422 && problem?.errors) || []
}
