import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { whenSignedOut } from '../../client/http.ts'
import { staffRoutes } from '../../routes.tsx'
import { checkSession, preloadMe } from '../account/account.ts'
import { SIGN_IN_PATH } from '../account/sign-in-address.ts'
import { chosenTheme } from '../chosen-theme.ts'
import { registerWorker } from '../device/worker.ts'
import { nameEntry } from '../leads/list/place.ts'
import { App } from './app.tsx'

registerWorker().catch((error) => console.warn('There is no service worker:', error))

if (location.pathname !== SIGN_IN_PATH) preloadMe()

// there a wrong password is refused in the same way
whenSignedOut(() => {
  if (location.pathname !== SIGN_IN_PATH) checkSession()
})

const root = document.getElementById('staff')
if (!root) throw new Error('The staff page has no element with the id "staff"')

nameEntry()
chosenTheme.follow()
const router = createBrowserRouter(staffRoutes)

createRoot(root).render(
  <App go={(address) => router.navigate(address)}>
    <RouterProvider router={router} />
  </App>,
)
