import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { staffRoutes } from '../routes.tsx'
import { App } from './app.tsx'
import { registerWorker } from './device/worker.ts'

registerWorker().catch((error) => console.warn('There is no service worker:', error))

const root = document.getElementById('staff')
if (!root) throw new Error('The staff page has no element with the id "staff"')

createRoot(root).render(
  <App>
    <RouterProvider router={createBrowserRouter(staffRoutes)} />
  </App>,
)
