import type { HttpError } from '../../http.ts'

/** What the server found wrong at which field, where that is why a form was refused. */
export const fieldProblemsOf = (error: unknown) => {
  const { status, problem } = error as Partial<HttpError>
  return (status === 422 && problem?.errors) || []
}
